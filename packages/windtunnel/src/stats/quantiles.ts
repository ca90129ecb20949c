/** Quantiles of the normal, t and beta distributions. The only file that knows jstat; relative error about 1e-7, worse only for beta beyond 1e5. */
import jStat from "jstat";

/** Standard normal quantile, p in (0, 1). */
export const normalQuantile = (p: number): number => jStat.normal.inv(p, 0, 1);

export const normalCdf = (x: number): number => jStat.normal.cdf(x, 0, 1);

export const tQuantile = (p: number, degreesOfFreedom: number): number => jStat.studentt.inv(p, degreesOfFreedom);

export const betaQuantile = (p: number, alpha: number, beta: number): number => jStat.beta.inv(p, alpha, beta);

/** The z of a two-sided interval: 1.96 for 0.95. */
export const zFor = (level: number): number => normalQuantile(0.5 + level / 2);
