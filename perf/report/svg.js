'use strict'

/** @param {unknown} text @returns {string} safe in HTML and SVG */
function escape (text) {
  return String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} [content] markup
 */
function element (name, attributes, content = '') {
  const list = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escape(typeof value === 'number' ? Math.round(value * 100) / 100 : value)}"`)
  return `<${name}${list.join('')}>${content}</${name}>`
}

function text (x, y, content, attributes = {}) {
  return element('text', { x, y, ...attributes }, escape(content))
}

function line (x1, y1, x2, y2, kind) {
  return element('line', { x1, y1, x2, y2, class: kind })
}

/** A drawing that says in words what it shows. */
function drawing (width, height, label, content) {
  return element('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label, style: `max-width:${width}px` }, content)
}

/** Sides differ in colour and in shape. */
function marker (letter, x, y, size, title) {
  if (letter === 'A') return dot(x, y, size, 'fill-a', title)
  const d = `M${x - size},${y}L${x},${y - size}L${x + size},${y}L${x},${y + size}Z`
  return element('path', { d, class: 'fill-b' }, element('title', {}, escape(title)))
}

function dot (x, y, size, kind, title) {
  return element('circle', { cx: x, cy: y, r: size, class: kind }, element('title', {}, escape(title)))
}

/**
 * A logarithmic scale with round ticks.
 *
 * @param {number} low
 * @param {number} high
 * @param {number} from where `low` is drawn
 * @param {number} to
 */
function logScale (low, high, from, to) {
  const span = Math.log(high / low) || 1
  const at = (value) => from + Math.log(value / low) / span * (to - from)
  const ticks = []
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const digit of [1, 2, 5]) {
      const value = Number(`${digit}e${power}`)
      if (value >= low && value <= high) ticks.push(value)
    }
  }
  return { at, ticks }
}

/** The same, linear. */
function linearScale (low, high, from, to) {
  const at = (value) => from + (value - low) / (high - low || 1) * (to - from)
  const step = roundStep((high - low) / 5)
  const ticks = []
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) ticks.push(Number(value.toPrecision(6)))
  return { at, ticks }
}

/** @returns {number} 1, 2 or 5 times a power of ten */
function roundStep (least) {
  const power = 10 ** Math.floor(Math.log10(least || 1))
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= least)
}

module.exports = { escape, element, text, line, drawing, dot, marker, logScale, linearScale, roundStep }
