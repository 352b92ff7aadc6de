/** Shapes of the wake-word endpoints that several components use. */
import type { Answer } from "../../lib/Endpoints.ts"

export type Model = Answer<"GET /api/v1/wakeword/models">["items"][number]
export type ModelDetail = Answer<"GET /api/v1/wakeword/models/:name">
export type CurvePoint = ModelDetail["curve"][number]
export type Training = Answer<"GET /api/v1/wakeword/training">["items"][number]
export type Phase = Training["phases"][number]["phase"]
export type WordSamples = Answer<"GET /api/v1/wakeword/samples">["items"][number]
export type Sample = WordSamples["samples"][number]

export const modelHref = (name: string): string => `/console/wake-word/models/${encodeURIComponent(name)}`
export const wordHref = (word: string): string => `/console/wake-word/recordings/${encodeURIComponent(word)}`
