import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./styles/index.css";
import { isRefusal } from "./api/client.ts";
import { router } from "./router.tsx";
import { applyTheme, storedTheme } from "./shell/preferences.ts";

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 1 && !isRefusal(error),
      refetchOnWindowFocus: true,
      staleTime: 1_000,
      // Without a network, a request fails, which the page says. By default it would wait, and old figures look current.
      networkMode: "always",
      refetchOnReconnect: true,
    },
    mutations: { networkMode: "always" },
  },
});

applyTheme(storedTheme());
const element = document.getElementById("app");
if (element === null) throw new Error("the page has no #app");
createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
