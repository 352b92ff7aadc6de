/** How times are written in what commands print. Pure. */
export const minute = (date: Date): string => date.toISOString().slice(0, 16).replace("T", " ")
