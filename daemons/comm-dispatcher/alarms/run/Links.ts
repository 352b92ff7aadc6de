/** Where a run is read. */
export const linkOf = (id: string): string => `/api/v1/workflows/runs/${id}`
