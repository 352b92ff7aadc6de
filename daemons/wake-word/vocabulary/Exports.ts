/** Words, limits and scopes that all features share. */
export { frameSamples, maxRecordingSeconds } from "./Limits.ts"
export { inTenantOf, tenantFor } from "./TenantScope.ts"
export { maxModelName, maxWord, ModelName, modelStem, normalWord, SpokenLanguage, Word } from "./Words.ts"
