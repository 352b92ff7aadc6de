/** Default port of the daemon; part of the page's address when BASE_URL is not set. */
export const port = 8112

/** Address of the status page, without a final slash. */
export const baseOf = ({ baseUrl }: { readonly baseUrl?: string | undefined }): string =>
  baseUrl?.replace(/\/+$/, "") ?? `http://localhost:${port}`
