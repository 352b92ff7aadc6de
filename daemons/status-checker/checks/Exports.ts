/** What other features of status-checker may use of the checks. */
export { Checking, checking } from "./Checking.ts"
export { dayLength, dayOf, noShare, type Share, sum } from "./Days.ts"
export { requestChecks } from "./CheckNow.ts"
export { isMeasured, Prober, prober } from "./Prober.ts"
