/** What other features of provisioning may use of the pages for devices. */
export { afterSetUp, type NewDevice } from "./AfterSetUp.ts"
export { frame, type FrameOptions } from "./pages/Frame.ts"
