// Types of files that the build embeds: importing one gives its path.

declare module "*.csv.gz" {
  const path: string
  export default path
}
