/**
 * The wake word for any page of this host: `import { makeListener } from "/console/wake-word.js"`. Its use is in
 * README.md.
 */
export { defaultPlan, type ReconnectPlan } from "./Backoff.ts"
export { type BrowserEngine, type EngineEvents, openBrowserEngine } from "./BrowserEngine.ts"
export { meterOf } from "./Framing.ts"
export { makeListener } from "./Listener.ts"
export { hasMicrophone } from "./Microphone.ts"
export { hasRecognition } from "./BrowserRecognition.ts"
export type {
  ActiveModel,
  EngineChoice,
  FallbackReason,
  Listener,
  ListenerOptions,
  ListenerState,
  StopReason,
  Wake,
  WakeWordStatus
} from "./ListenerState.ts"
