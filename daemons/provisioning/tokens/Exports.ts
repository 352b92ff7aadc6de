/** Exports of the feature tokens for other features of provisioning. */
export { isOwn, managedUser, seenUser } from "./Rights.ts"
export { defaultTokenDays, tokenSettings } from "./Settings.ts"
export * as Tokens from "./Store.ts"
export { emitChange as emitTokenChange } from "./TokenChange.ts"
export { hashOf, isToken, maxToken } from "./Token.ts"
