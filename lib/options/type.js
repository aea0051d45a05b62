'use strict'

// Option `type`: the media types that a parser takes.

module.exports = {
  read (value, name, fallback) {
    const type = value || fallback
    return Array.isArray(type) ? [...type] : type // the app may change its list later
  }
}
