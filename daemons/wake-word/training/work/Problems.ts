/** What is told to people about an error of a phase. */
export const problemOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  if (code === "ENOSPC") return "The disk of the data directory is full."
  return error instanceof Error ? error.message : String(error)
}
