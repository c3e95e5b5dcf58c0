import { offerWallets } from "./offer-wallets.ts";

// The checkout's own script runs after this one and finds it here.
window.tidegateWallets = offerWallets;
