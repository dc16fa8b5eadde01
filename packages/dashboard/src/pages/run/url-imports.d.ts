/** The address of a file that is shipped as it is. */
declare module '*?url' {
  const address: string
  // biome-ignore lint/style/noDefaultExport: the bundler gives the address this way.
  export default address
}
