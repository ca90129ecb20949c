/** The part of jstat that quantiles.ts uses; the package ships no types. */
declare module "jstat" {
  const jStat: {
    readonly normal: {
      inv(p: number, mean: number, sd: number): number;
      cdf(x: number, mean: number, sd: number): number;
    };
    readonly studentt: { inv(p: number, degreesOfFreedom: number): number };
    readonly beta: { inv(p: number, alpha: number, beta: number): number };
  };
  export default jStat;
}
