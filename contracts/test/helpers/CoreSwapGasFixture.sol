// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TreasuryDelegateFixture} from "./TreasuryDelegateFixture.sol";
import {NavPriceAdapter} from "src/adapters/NavPriceAdapter.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// @title CoreSwapGasFixture
/// @notice The state in which swaps are measured: this system's contracts behind their proxies, plain ERC-20 tokens, a
/// posted NAV, unlimited approvals, balances above zero, an LP rate and intake caps, but no optional control (whitelist
/// adapter, risk delegate, guardrail).
abstract contract CoreSwapGasFixture is TreasuryDelegateFixture {
    uint256 internal constant AMOUNT = 1_000e18;
    uint96 internal constant INTAKE_CAP = 1_000_000_000e18;

    function setUp() public override {
        super.setUp();
        vm.startPrank(operator);
        core.setRwaPriceAdapter(bill.id, address(_nav(1.0437e18)));
        core.setRwaPriceAdapter(note.id, address(_nav(WAD)));
        core.setProtocolFeeExempt(usdc.id, true);
        vm.stopPrank();
        vm.prank(issuer);
        delegate.setRWADiscountRate(note.id, 0.001e18);
        address[3] memory lps = [address(usdc.delegate), address(usdx.delegate), address(delegate)];
        for (uint256 i = 0; i < lps.length; ++i) {
            _setIntakeCap(lps[i], address(bill.token), INTAKE_CAP);
            _setIntakeCap(lps[i], address(bond.token), INTAKE_CAP);
            _setIntakeCap(lps[i], address(note.token), INTAKE_CAP);
        }
        usdc.token.mint(receiver, 1);
        usdc.token.mint(vault, 1);
        // Tokens without credits, so that balances are above zero before a first deposit.
        _deposit(bob, AMOUNT);
        vm.startPrank(bob);
        treasury.transfer(alice, 1);
        treasury.transfer(vault, 1);
        vm.stopPrank();
    }

    function _nav(uint256 navWad) internal returns (NavPriceAdapter adapter) {
        return new NavPriceAdapter(admin, operator, navWad, 0.01e18, 0.02e18, 1 days);
    }

    function _chargeProtocolFee(bytes32 stablecoinID) internal {
        vm.startPrank(operator);
        core.setProtocolFeeExempt(stablecoinID, false);
        core.setIssuerPaidProtocolFeeRate(stablecoinID, 0.0007e18);
        vm.stopPrank();
    }

    function _depositLeg() internal view returns (ICoreSwap.SwapInputs memory leg) {
        return ICoreSwap.SwapInputs(1, note.id, trsy, trsy, AMOUNT, 0);
    }
}
