import { words } from "../../../lib/Language.ts"
import { play, playing, stopPlaying } from "./Player.ts"

const t = words({ en: { play: "Play", stop: "Stop" }, de: { play: "Abspielen", stop: "Anhalten" } })

/** Plays a recording, or stops it. `id`: key of the recording on this page. */
export const PlayButton = ({
  failed,
  get,
  id,
  name
}: {
  readonly id: string
  readonly name: string
  readonly get: () => Promise<Blob>
  readonly failed: (error: unknown) => void
}) => {
  const plays = playing.value === id
  return (
    <button type="button" class="small" onClick={() => (plays ? stopPlaying() : void play(id, get).catch(failed))}>
      {plays ? t().stop : t().play}
      <span class="sr">: {name}</span>
    </button>
  )
}
