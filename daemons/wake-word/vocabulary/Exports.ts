/** Words and limits that all features share. */
export { defaultThreshold, embeddingSize, frameSamples, maxRecordingSeconds, sampleRate } from "./Limits.ts"
export { maxModelName, maxWord, ModelName, modelStem, normalWord, SpokenLanguage, Word } from "./Words.ts"
