import { Icon } from "../parts/Icon.tsx"
import { registration } from "./Phone.ts"
import { shown } from "./Registration.ts"
import { stateWords as t } from "./StateWords.ts"
import "./softphone.css"

/** Status of the softphone in the header of every page, while it is on. */
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
