/**
 * The client imapflow, in a module of ours that is imported late: with its tables of character sets it takes some
 * megabytes. Reason: the bundle gives a CommonJS library that is imported late no named exports.
 */
export { ImapFlow } from "imapflow"
