'use strict'

// What is tested here needs the competitors: `npm ci` in bench/, unless they
// are there already.

require('../../../bench/install').installCompetitors()
