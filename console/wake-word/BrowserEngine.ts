/** The engine in the browser: loads the active model's files and computes the scores in a thread of its own. */
import type { EngineFiles, FromEngine, ToEngine } from "./EngineMessages.ts"

export interface BrowserEngine {
  /** Appends 16 kHz samples of any number. Sound that is more than 2 s ahead of the computation is lost. */
  readonly push: (frame: Int16Array<ArrayBuffer>) => void
  readonly close: () => void
}

export interface EngineEvents {
  readonly step: (score: number, wake: boolean) => void
  /** It will hear nothing more. */
  readonly failed: (problem: string) => void
}

/** Longest time until the engine is ready. Unit: milliseconds. Reason: 14 MB over a slow line. */
const patience = 120_000

/** Resolves when the engine computes. Rejects when a file is missing or the model cannot be used. */
export const openBrowserEngine = async (
  ask: (path: string) => Promise<Response>,
  /** Id of the model's extractor. */
  extractor: string,
  { failed, step }: EngineEvents
): Promise<BrowserEngine> => {
  const file = async (name: string): Promise<ArrayBuffer> => {
    const answer = await ask(`/api/v1/wakeword/active/${name}`)
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`)
    return answer.arrayBuffer()
  }
  const [model, embedding, mel] = await Promise.all([
    file("model"),
    file("embedding"),
    extractor.startsWith("openwakeword") ? file("mel") : undefined
  ])
  return start({ model, embedding, mel }, { failed, step })
}

const start = (files: EngineFiles, { failed, step }: EngineEvents): Promise<BrowserEngine> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./engineWorker.ts", import.meta.url), { type: "module" })
    const say = (message: ToEngine) => worker.postMessage(message)
    let ready = false
    const end = (problem: string) => {
      clearTimeout(timer)
      worker.terminate()
      if (ready) failed(problem)
      else reject(new Error(problem))
    }
    const timer = setTimeout(() => end("the engine does not start"), patience)
    worker.onerror = ({ message }) => end(message ?? "the engine's thread does not start")
    worker.onmessage = ({ data }: MessageEvent<FromEngine>) => {
      if (data.kind === "failed") return end(data.problem)
      if (data.kind === "step") return step(data.score, data.wake)
      ready = true
      clearTimeout(timer)
      resolve({ push: (frame) => say({ kind: "audio", frame }), close: () => worker.terminate() })
    }
    say({ kind: "open", files })
  })
