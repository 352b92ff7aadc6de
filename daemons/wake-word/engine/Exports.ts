/** The ONNX runtime and the extractors, for listening and training. */
export { type Extractors, open as openExtractors } from "./Extractors.ts"
export {
  type ExtractorConfig,
  extractorConflicts,
  type ExtractorFile,
  extractorFile,
  extractorSettings,
  type ExtractorSource,
  extractorSource
} from "./ExtractorSettings.ts"
export { dataOf, makeVoiceData } from "./MadeVoiceData.ts"
export { setThreadNiceness } from "./ThreadPriority.ts"
