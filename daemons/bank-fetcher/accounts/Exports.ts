/**
 * What the other features may use of accounts. `connection` needs the service BankConnections: provide the layer
 * `bankConnections`, and keep SIGNALBOX_BANK_ALLOW_CIDRS (`accountSettings`) in the feature's settings.
 */
export { type Connection, connection, BankConnections } from "./Connections.ts"
export { KeysLocked, NotReady, Stopped } from "./ConnectionError.ts"
export { BankUnreachable } from "./BankClient.ts"
export { bankConnections } from "./Layers.ts"
export { accountByIban, stop } from "./AccountStore.ts"
export { accountSettings } from "./Settings.ts"
export { OrderChoice, Permitted } from "./FieldSchemas.ts"
