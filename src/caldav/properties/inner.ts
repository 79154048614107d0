// What stands in a property somebody set, written again: only elements, plain attributes and text.
import { isElement, type XmlElement } from '../xml/parse.ts'
import { element, join, text, type Xml } from '../xml/write.ts'

/** Without the element itself. The depth of what was read is bounded, so this is too. */
export const innerOf = ({ children }: XmlElement): Xml =>
  join(...children.map((child) => (isElement(child) ? outerOf(child) : text(child))))

const outerOf = (child: XmlElement): Xml =>
  element(child.ns, child.name, Object.fromEntries(child.attributes), innerOf(child))
