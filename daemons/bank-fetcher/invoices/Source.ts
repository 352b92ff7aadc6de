/** Source name in the events of this daemon. */
export const source = "bank-fetcher"
