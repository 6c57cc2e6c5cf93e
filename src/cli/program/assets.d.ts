declare module "*.csv.gz" {
  const path: string
  export default path
}
