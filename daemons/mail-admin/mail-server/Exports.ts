/** Exports of the feature mail-server for other features of the daemon. */
export { policySocket, postfixDir } from "./PostfixSockets.ts"
