/** Answers of wake-word for the tests of its pages, typed by the declarations of its endpoints. */
import type { Answer } from "../../../../console/lib/Endpoints.ts"
import { before, hour, minute } from "../operations/Answering.ts"

export type Model = Answer<"GET /api/v1/wakeword/models/:name">
export type Training = Answer<"GET /api/v1/wakeword/training">["items"][number]
export type Sample = Answer<"GET /api/v1/wakeword/samples/:word">["items"][number]

export const phases = [
  "samples_tts",
  "samples_upload",
  "augment",
  "features",
  "train",
  "validate",
  "save"
] as const satisfies ReadonlyArray<Training["phases"][number]["phase"]>

/** Misses rise and false accepts fall with the threshold. */
const curve: Model["curve"] = Array.from({ length: 19 }, (_, at) => {
  const threshold = Math.round((at + 1) * 5) / 100
  return {
    threshold,
    false_accepts_per_hour: Math.round(4_000 * Math.exp(-threshold * 18)) / 100,
    miss_rate: Math.round(1000 * threshold ** 4) / 1000
  }
})

export const model = (name: string, more: Partial<Model> = {}): Model => ({
  id: 1,
  tenant_id: 1,
  name,
  word: "hey computer",
  language: "en",
  threshold: 0.45,
  active: false,
  extractor: "signalbox-4f2a91c07be3d815",
  sha256: "9b74c9897bac770ffc029102a200c5de9b74c9897bac770ffc029102a200c5de",
  size: 412_344,
  seed: 1,
  job_id: "00000000-0000-4000-8000-000000000001",
  metrics: {
    false_accepts_per_hour: 0.31,
    miss_rate: 0.021,
    negative_hours: 3.2,
    false_accepts: 1,
    utterances: 240,
    misses: 5,
    voices: ["en-gb-x-rp+f2", "en-us+m7"],
    uploads: 0,
    notes: [
      "Measured on speech of espeak-ng, whose voices of one language share a synthesiser: people may be heard less well.",
      "No recordings of people were held out."
    ]
  },
  gate: [],
  created_at: before(2 * hour),
  activated_at: null,
  curve,
  ...more
})

/** A model that the gate refuses. */
export const weakModel = model("trial-2", {
  id: 2,
  word: "trial",
  metrics: { ...model("").metrics, false_accepts_per_hour: 2.4, miss_rate: 0.12, utterances: 16, misses: 2 },
  gate: [
    "misses were measured with 16 utterances, less than 20",
    "2.4 false accepts an hour, more than 0.5",
    "12 % of the utterances are missed, more than 5 %"
  ]
})

export const training = (word: string, more: Partial<Training> = {}): Training => ({
  id: "00000000-0000-4000-8000-000000000007",
  seq: 7,
  tenant_id: 1,
  word,
  language: "en",
  name: `${word}-1`,
  seed: 1,
  size: "small",
  use_uploads: true,
  state: "running",
  phase: "features",
  phases: phases.map((phase, at) => ({ phase, progress: at < 3 ? 1 : at === 3 ? 0.4 : 0 })),
  position: null,
  attempts: 1,
  problem: null,
  requested_by: "user:1",
  created_at: before(5 * minute),
  started_at: before(4 * minute),
  finished_at: null,
  ...more
})

export const sample = (id: number, more: Partial<Sample> = {}): Sample => ({
  id,
  tenant_id: 1,
  word: "hey computer",
  name: `recording-${id}.wav`,
  speaker: id % 2 === 0 ? null : "Anna",
  duration_ms: 1_240,
  original_rate: 48_000,
  created_by: "user:1",
  created_at: before(id * hour),
  ...more
})

export const languages: Answer<"GET /api/v1/wakeword/languages"> = [
  { language: "de", voices: 31 },
  { language: "en", voices: 112 }
]

export const status = (
  more: Partial<Answer<"GET /api/v1/wakeword/status">> = {}
): Answer<"GET /api/v1/wakeword/status"> => ({
  state: "no_model",
  problem: null,
  model: null,
  websocket_url: null,
  ticket_expires_at: null,
  sample_rate: 16_000,
  frame_samples: 256,
  ...more
})

export const none = { items: [], next_before: null } as const
export const noWords = { items: [], next_after: null } as const
