/** Formats times in command output. Pure. */
export const minute = (date: Date): string => date.toISOString().slice(0, 16).replace("T", " ")
