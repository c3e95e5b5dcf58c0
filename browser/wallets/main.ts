import { offerWallets } from "./offer-wallets.ts";

// The checkout's script runs after this one and reads it.
window.tidegateWallets = offerWallets;
