// Code snippets to copy into other sites; attribute values are HTML-escaped.

type ElementAttributes = Record<string, string>

/** The element with its attributes; empty ones are left out. */
export function formatElement(name: string, attributes: ElementAttributes): string {
  const given = Object.entries(attributes).filter(([, value]) => value !== '')
  return `<${[name, ...given.map(([key, value]) => `${key}="${escaped(value)}"`)].join(' ')}></${name}>`
}

export const pageCode = (root: string, name: string, attributes: ElementAttributes): string =>
  `<script type="module" src="${root}/embed.js"></script>\n${formatElement(name, attributes)}`

export function frameCode(address: string, attributes: ElementAttributes, categories: readonly string[] = []): string {
  const given = Object.entries(attributes).filter(([, value]) => value !== '')
  const query = new URLSearchParams([...given, ...categories.map((name) => ['category', name])]).toString()
  const source = escaped(query ? `${address}?${query}` : address)
  return `<iframe src="${source}" title="Calendar" width="100%" height="700" loading="lazy"></iframe>`
}

/** For the functions.php of a theme, or a small plugin. WordPress itself escapes the values. */
export const shortcodeRecipe = (root: string): string => `function daybook_element($tag, $attributes) {
  $allowed = ['limit', 'category', 'categories', 'view', 'date', 'timezone', 'theme'];
  $html = '<' . $tag;
  foreach ((array) $attributes as $name => $value) {
    if (in_array($name, $allowed, true)) $html .= ' ' . $name . '="' . esc_attr($value) . '"';
  }
  return $html . '></' . $tag . '>';
}
add_action('wp_enqueue_scripts', function () {
  wp_enqueue_script_module('daybook', '${root}/embed.js', [], null);
});
add_shortcode('daybook-upcoming', fn($a) => daybook_element('daybook-upcoming', $a));
add_shortcode('daybook-calendar', fn($a) => daybook_element('daybook-calendar', $a));`

const SIGNS: Record<string, string> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' }

const escaped = (text: string): string => text.replace(/[&"<>]/g, (sign) => SIGNS[sign]!)
