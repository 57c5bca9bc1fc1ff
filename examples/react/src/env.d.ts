/** Variables that Vite puts into the page when it is built. */
interface ImportMetaEnv {
  readonly VITE_API_URL?: string;
  readonly VITE_NETWORK?: string;
  readonly VITE_RPC_URL?: string;
}
