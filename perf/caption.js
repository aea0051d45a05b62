'use strict'

// What a comparison says about itself: what A and B are, and how far the trials agree.

/** @returns {string} a level such as `99 %` */
const levelText = (level) => `${Number((level * 100).toFixed(2))} %`

/** @returns {string} in how many trials B took more CPU time, or less: how far the trials agree */
function agreementText ({ more, trials }) {
  if (more === trials || more === 0) return `B took ${more === 0 ? 'less' : 'more'} in all ${trials} trials`
  const less = trials - more
  return `B took ${more < less ? 'less' : 'more'} in ${Math.max(more, less)} of ${trials} trials`
}

/** @returns {string} the packages and the Node.js of a target */
function targetText ({ resolved, node }) {
  const packages = Object.entries(resolved).map(([name, { name: real, version }]) => {
    return `${real} ${version}${real === name ? '' : ` as ${name}`}`
  })
  return [...packages, `Node.js ${node}`].join(', ')
}

/**
 * @param {{ a: object, b: object }} targets of a comparison
 * @returns {[string, string]} A and B by name and version; by the npm spec as well if those are the same
 */
function targetTexts ({ a, b }) {
  const texts = [a, b].map(({ resolved, server: { node } }) => targetText({ resolved, node }))
  if (texts[0] !== texts[1]) return texts
  const differing = Object.keys({ ...a.overrides, ...b.overrides })
    .filter((name) => name !== 'node' && a.overrides[name] !== b.overrides[name])
  return [a, b].map(({ overrides }, i) => {
    const specs = differing.map((name) => overrides[name] ?? 'this working tree')
    return specs.length === 0 ? texts[i] : `${texts[i]} (${specs.join(', ')})`
  })
}

module.exports = { agreementText, levelText, targetText, targetTexts }
