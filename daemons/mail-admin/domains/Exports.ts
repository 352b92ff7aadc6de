/** Exports of the feature domains for other features of the daemon. */
export { note } from "./AuditNote.ts"
export * as Domains from "./Domains.ts"
export { source } from "./Domains.ts"
export { AddressTaken, AliasLoop } from "./Errors.ts"
export { free } from "./mailboxes/MailboxChanges.ts"
export { MailServer } from "./MailServer.ts"
export { addressOf, domainName, localPart } from "./Names.ts"
export { Destination, LocalPart } from "./Shapes.ts"
