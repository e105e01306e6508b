export default { main: true }
