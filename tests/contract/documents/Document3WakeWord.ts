/** Rows of document 3, §4.3: wake word. The document shows no fields; the installation has no models and recordings. */
import type { Row } from "./Row.ts"

const section = "3 §4.3"

export const documentThreeWakeWord: ReadonlyArray<Row> = [
  {
    section,
    endpoint: "GET /api/v1/wakeword/status",
    as: "user",
    out: ["state", "model", "websocket_url"],
    values: { state: "no_model", model: null }
  },
  { section, endpoint: "GET /api/v1/wakeword/models", out: ["items"] },
  {
    section,
    endpoint: "POST /api/v1/wakeword/train",
    in: ["word", "size"],
    body: () => ({ word: "computer", size: "small" }),
    status: 202,
    out: ["id", "job_id", "state", "phases"],
    keeps: { job_id: "job_id", name: "name", word: "word" }
  },
  {
    section,
    endpoint: "GET /api/v1/wakeword/training/{job_id}",
    out: ["state", "phase"],
    also: ({ json }) =>
      json.phases.map(({ phase }: { phase: string }) => phase).join() ===
      "samples_tts,samples_upload,augment,features,train,validate,save"
        ? undefined
        : "has other phases"
  },
  // Without a form.
  { section, endpoint: "POST /api/v1/wakeword/samples/upload", status: 415 },
  { section, endpoint: "GET /api/v1/wakeword/samples", out: ["items"] },
  { section, endpoint: "DELETE /api/v1/wakeword/samples/{word}", status: 404 },
  { section, endpoint: "POST /api/v1/wakeword/models/{name}/activate", status: 404 },
  { section, endpoint: "DELETE /api/v1/wakeword/models/{name}", status: 404 }
]
