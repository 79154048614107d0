// Page about embedding: live previews of both elements, and the code to copy.
import { Fragment, h, type JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../app/session.ts'
import { CategoryChoice } from '../../calendar/categories/category-choice.tsx'
import { formatCategoryList } from '../../calendar/categories/category-list.ts'
import { absoluteUrl, pathUnder } from '../../site.ts'
import * as words from '../../strings.ts'
import { CopyBlock } from '../../ui/copy-block.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { useLoaded } from '../../ui/use-loaded.ts'
import './embed.css'
import { formatElement, frameCode, pageCode, shortcodeRecipe } from './snippets.ts'

const texts = words.embed
const VIEWS = ['month', 'week', 'day', 'list', 'year'] as const

export default function EmbedPage(): JSX.Element {
  const [limit, setLimit] = useState('5')
  const [chosen, setChosen] = useState<string[]>([])
  const [view, setView] = useState<(typeof VIEWS)[number]>('month')
  const [theme, setTheme] = useState<'' | 'light' | 'dark'>('')
  const categories = useLoaded((signal) => call('listCategories', { signal }), [])
  useEffect(loadElements, [])
  const [one = '', ...more] = chosen
  const common = { ...(more.length > 0 ? { categories: formatCategoryList(chosen) } : { category: one }), theme }
  const upcoming = { limit: limit === '5' ? '' : limit, ...common }
  const calendar = { view: view === 'month' ? '' : view, ...common }
  return (
    <Page title={texts.title} width="wide">
      <p>{texts.lead}</p>
      <fieldset class="embed-choices">
        <legend>{texts.choices}</legend>
        <SelectField label={texts.theme} value={theme} onValue={setTheme} options={texts.themes} />
        <TextField
          label={texts.limit}
          value={limit}
          onValue={setLimit}
          input={{ type: 'number', min: 1, max: 20, inputMode: 'numeric' }}
        />
        <SelectField
          label={words.calendar.view}
          value={view}
          onValue={setView}
          options={VIEWS.map((one) => [one, words.calendar.views[one]] as const)}
        />
      </fieldset>
      <CategoryChoice
        names={(categories.data?.data ?? []).map(({ name }) => name)}
        chosen={chosen}
        onChoose={setChosen}
      />
      <Shown
        title={texts.upcomingTitle}
        about={texts.upcomingAbout}
        code={pageCode(absoluteUrl(''), 'daybook-upcoming', upcoming)}
      >
        <div class="embed-sidebar">{h('daybook-upcoming', given(upcoming))}</div>
      </Shown>
      <Shown
        title={texts.calendarTitle}
        about={texts.calendarAbout}
        code={pageCode(absoluteUrl(''), 'daybook-calendar', calendar)}
      >
        {h('daybook-calendar', given(calendar))}
      </Shown>
      <section class="card">
        <h2>{texts.frameTitle}</h2>
        <p>{texts.frameAbout}</p>
        <CopyBlock
          label={texts.code}
          text={frameCode(absoluteUrl('/frame'), { ...calendar, categories: '', category: '' }, chosen)}
        />
      </section>
      <section class="card">
        <h2>{texts.wordpressTitle}</h2>
        <p>{texts.wordpressAbout}</p>
        <CopyBlock label={texts.wordpressCode} text={shortcodeRecipe(absoluteUrl(''))} />
        <p>{texts.wordpressUse}</p>
        <CopyBlock
          label={texts.shortcode}
          text={formatElement('daybook-upcoming', upcoming).replace(/^<([^>]*)>.*$/, '[$1]')}
        />
      </section>
      <section class="card">
        <h2>{texts.lookTitle}</h2>
        <p>{texts.lookAbout}</p>
        <dl class="embed-properties">
          {texts.properties.map(([name, meaning]) => (
            <Fragment key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>{meaning}</dd>
            </Fragment>
          ))}
        </dl>
      </section>
    </Page>
  )
}

interface SnippetProps {
  title: string
  about: string
  code: string
  children: JSX.Element
}

const Shown = ({ title, about, code, children }: SnippetProps): JSX.Element => (
  <section class="card">
    <h2>{title}</h2>
    <p>{about}</p>
    {children}
    <CopyBlock label={texts.code} text={code} />
  </section>
)

const given = (attributes: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ''))

/** Loads the embed script in the same way as another site does. */
function loadElements(): void {
  if (customElements.get('daybook-upcoming')) return
  const script = document.createElement('script')
  script.type = 'module'
  script.src = pathUnder('/embed.js')
  document.head.append(script)
}
