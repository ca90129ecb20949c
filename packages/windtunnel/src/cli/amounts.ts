/** Numbers as people read them: rewards, shares, money, time, sizes. */

export const toReward = (value: number | null): string => (value === null ? "–" : value.toFixed(3));

export const toPercent = (share: number | null): string =>
  share === null ? "–" : `${(share * 100).toFixed(share === 1 || share === 0 ? 0 : 1)} %`;

export function toCount(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}

/** A value in an outcome's unit: dollars with their sign, anything else with its name; without one, the bare number. */
export function toUnit(value: number | null, unit = ""): string {
  if (value === null) return "–";
  const digits = Math.abs(value).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  if (unit === "USD") return `${value < 0 ? "-" : ""}$${digits}`;
  return `${value < 0 ? "-" : ""}${digits} ${unit}`.trimEnd();
}

export function toDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function toSize(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** An instant of the world's clock or of the wall's, to the minute. */
export const toInstant = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")}Z`;
