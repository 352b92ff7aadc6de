/** Exports of the feature `accounts` for other features of edge-auth. */
export * as AccountActs from "./AccountActs.ts"
export * as Attempts from "./Attempts.ts"
export { Bcrypt, isHashable, layer as bcrypt } from "./Bcrypt.ts"
export * as HalfSignIn from "./HalfSignIn.ts"
export * as OwnFactor from "./OwnFactor.ts"
export * as SecondFactor from "./SecondFactor.ts"
export * as Sessions from "./Sessions.ts"
export * as Users from "./Users.ts"
