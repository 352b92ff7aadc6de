/** Messages between the page and the thread of its engine. */

/** Files of the active model. `mel`: only for models of openWakeWord. */
export interface EngineFiles {
  readonly model: ArrayBuffer
  readonly embedding: ArrayBuffer
  readonly mel: ArrayBuffer | undefined
}

export type ToEngine =
  | { readonly kind: "open"; readonly files: EngineFiles }
  | { readonly kind: "audio"; readonly frame: Int16Array<ArrayBuffer> }

export type FromEngine =
  | { readonly kind: "ready"; readonly word: string }
  /** One step of 80 ms. `score`: 0 to 1. */
  | { readonly kind: "step"; readonly score: number; readonly wake: boolean }
  /** `problem`: English. Nothing follows. */
  | { readonly kind: "failed"; readonly problem: string }
