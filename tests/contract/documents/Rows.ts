/**
 * Every endpoint of the interface documents that exists, called with exactly the documented fields. In the order of the
 * calls: later rows use ids of earlier ones. Row.ts explains how to read the tables.
 */
import { documentOneCommunication } from "./Document1Communication.ts"
import { documentOneMail } from "./Document1Mail.ts"
import { documentTwo } from "./Document2.ts"
import { documentTwoLocalization } from "./Document2Localization.ts"
import { documentTwoBankAccounts } from "./Document2BankAccounts.ts"
import { documentTwoBankStatements } from "./Document2BankStatements.ts"
import { documentTwoBankFetch } from "./Document2BankFetch.ts"
import { documentTwoProvisioning } from "./Document2Provisioning.ts"
import { documentTwoReconciliation } from "./Document2Reconciliation.ts"
import { documentThree } from "./Document3.ts"
import { documentThreeEdge } from "./Document3Edge.ts"
import { documentThreeSystem } from "./Document3System.ts"
import { documentThreeWatchdog } from "./Document3Watchdog.ts"
import { documentThreeSecurity } from "./Document3Security.ts"
import { documentThreeWakeWord } from "./Document3WakeWord.ts"
import { domainProof } from "./DomainProof.ts"
import type { Row } from "./Row.ts"

export const rows: ReadonlyArray<Row> = [
  ...documentOneMail,
  ...domainProof,
  ...documentOneCommunication,
  ...documentTwo,
  ...documentTwoLocalization,
  ...documentTwoBankAccounts,
  ...documentTwoBankStatements,
  ...documentTwoBankFetch,
  ...documentTwoReconciliation,
  ...documentTwoProvisioning,
  ...documentThree,
  ...documentThreeEdge,
  ...documentThreeSystem,
  ...documentThreeWatchdog,
  ...documentThreeSecurity,
  ...documentThreeWakeWord
]
