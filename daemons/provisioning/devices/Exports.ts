/** Exports of the feature devices for other features of provisioning. */
export { deviceName } from "./DeviceName.ts"
export { endAbandoned } from "./Revocations.ts"
export * as Devices from "./Store.ts"
