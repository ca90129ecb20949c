/**
 * Archetype: one kind of denial case with one hidden truth and one right end, parametrised so that every seed gives new people, amounts,
 * dates and codes. `share` is its weight in the mix.
 */
import type { Draw } from "windtunnel";
import type { DenialWorld } from "./case-file.js";
import type { DenialFacts } from "./facts.js";

export interface Archetype {
  /** kebab-case; part of every report. */
  readonly id: string;
  readonly family: string;
  readonly share: number;
  /** Whether the resolution rests on practitioner knowledge that no expert has reviewed yet. */
  readonly review: "sourced" | "awaiting-expert";
  build(world: DenialWorld, draw: Draw): DenialFacts;
}

/** Defines an archetype. */
export const defineArchetype = (archetype: Archetype): Archetype => archetype;
