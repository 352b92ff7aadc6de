/** The status page as one document without script. Pure. */
import type { Snapshot } from "../Model.ts"
import type { Language } from "./Language.ts"

export const statusPage = (snapshot: Snapshot, language: Language): string => `<!DOCTYPE html><html lang="${language}"><title>${snapshot.status}</title></html>`
