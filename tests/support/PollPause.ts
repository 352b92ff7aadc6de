/** Pause of helpers that look again and again until a state is reached. Pure. */

/** Shortest pause between two looks. Unit: milliseconds. Reason: most states are reached within a few pauses. */
const shortest = 20

/** Longest pause between two looks. Unit: milliseconds. Reason: some states last only some tenths of a second. */
const longest = 100

/**
 * Pause before the next look. `waited`: time since the first look. Both in milliseconds. The pause is a twentieth of
 * this time, because each look costs processor time, and a test that has waited for seconds can be late by this much.
 */
export const pollPause = (waited: number): number => Math.min(longest, Math.max(shortest, waited / 20))
