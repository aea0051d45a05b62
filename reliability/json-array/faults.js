'use strict'

/** Wrong results that the judge must find. */
module.exports = {
  lost: (seen) => { if (seen.items.length > 5) seen.items.pop() },
  order: (seen) => { if (seen.items.length > 5) seen.items.reverse() },
  message: (seen) => { if (seen.error?.message.includes('token')) seen.error.message += '.' },
  offset: (seen) => { if (seen.error?.type === 'entity.parse.failed') seen.error.offset++ },
  silent: (seen) => { if (seen.error?.message.includes('end')) seen.error = null }
}
