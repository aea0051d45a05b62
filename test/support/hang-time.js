'use strict'

// How long a test waits for `next` before it says that the request hangs. No
// request takes as long, even on a machine that is busy with other work.
// .mocharc.json lets a test run longer than this.

module.exports = 10_000 // ms
