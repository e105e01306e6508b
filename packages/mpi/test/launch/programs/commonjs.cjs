const { EOL } = require('os')

module.exports = ({ world }) => process.stdout.write(`common ${world.rank}${EOL}`)
