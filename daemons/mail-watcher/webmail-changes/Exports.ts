/** What the other features may use of webmail-changes. */
export { erase, inFolder, present } from "./Messages.ts"
export { forUse, madeForUse } from "./folders/Folders.ts"
