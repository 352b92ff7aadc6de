/** Exports of the feature bookings for other features of provisioning. */
export { BookedView } from "./Api.ts"
export * as Bookings from "./Store.ts"
