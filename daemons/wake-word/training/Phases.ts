/** The seven phases of a training, in order. Source: interface document 3 §2.3. */
export const phases = ["samples_tts", "samples_upload", "augment", "features", "train", "validate", "save"] as const
export type Phase = (typeof phases)[number]

/** `waiting` and `running` are open; the others are ends. */
export const jobStates = ["waiting", "running", "done", "failed", "cancelled"] as const
export type JobState = (typeof jobStates)[number]

/** `small`: some minutes' worth of speech, for a trial. `full`: what a model for daily use needs. */
export const sizes = ["small", "full"] as const
export type Size = (typeof sizes)[number]
