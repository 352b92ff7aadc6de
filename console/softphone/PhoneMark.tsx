import { Icon } from "../parts/Icon.tsx"
import { registration } from "./Phone.ts"
import { shown } from "./Registration.ts"
import { stateWords as t } from "./StateWords.ts"
import "./softphone.css"

/** In the frame of every page while the softphone is on: whether calls arrive here. */
export const PhoneMark = () => {
  const { word } = shown(registration.value)
  if (word === "off") return null
  const title = `${t().phone}: ${t()[word]}`
  return (
    <a class={`phone-mark ${word}`} href="/console/phone" title={title}>
      <Icon name="headset" />
      <span class="sr">{title}</span>
    </a>
  )
}
