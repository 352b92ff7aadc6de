/** `signalbox contact` and `signalbox signature`. */
export { contact } from "./contacts/Commands.ts"
export { signature } from "./signatures/Commands.ts"
