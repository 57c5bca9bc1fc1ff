// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {TreasuryDelegateFixture} from "test/helpers/TreasuryDelegateFixture.sol";

contract SetAutoLiquidityStablecoinIDTest is TreasuryDelegateFixture {
    function testFuzz_RevertWhen_TheCallerIsNotTheDelegateOfTheStablecoin(address caller) public {
        vm.assume(caller != address(usdc.delegate));
        vm.prank(caller);
        vm.expectRevert(ICoreSwap.NotStablecoinDelegate.selector);
        core.setAutoLiquidityStablecoinID(usdc.id, trsy);
    }

    function test_RevertWhen_TheReserveIsTheStablecoinItself() public {
        _expect(usdc.id, ICoreSwap.IdenticalStablecoins.selector);
        vm.prank(address(delegate));
        vm.expectRevert(ICoreSwap.IdenticalStablecoins.selector);
        core.setAutoLiquidityStablecoinID(trsy, trsy);
    }

    function test_RevertWhen_TheReserveIsNotAccepted() public {
        _expect(_id("nothing"), ICoreSwap.StablecoinNotAccepted.selector);
        vm.prank(operator);
        core.setStablecoinAcceptance(trsy, address(delegate), address(treasury), false, true);
        _expect(trsy, ICoreSwap.StablecoinNotAccepted.selector);
    }

    function test_RevertWhen_TheReserveIsNotYieldBearing() public {
        _expect(usdx.id, ICoreSwap.StablecoinNotAccepted.selector);
    }

    function test_WhenTheReserveIsAcceptedAndYieldBearing() public {
        bytes memory before = _settings();
        vm.expectEmit(address(core));
        emit ICoreSwap.AutoLiquidityStablecoinIDSet(usdc.id, trsy);
        vm.prank(address(usdc.delegate));
        core.setAutoLiquidityStablecoinID(usdc.id, trsy);
        assertEq(core.autoLiquidityStablecoinIDs(usdc.id), trsy);
        assertEq(core.autoLiquidityStablecoinIDs(usdx.id), 0);
        assertEq(_settings(), before);
    }

    function test_WhenTheReserveIsZero() public {
        vm.prank(operator);
        core.configureStablecoinGuardrail(usdc.id, address(bill.adapter), 0.1e18, true);
        bytes memory before = _settings();
        vm.startPrank(address(usdc.delegate));
        core.setAutoLiquidityStablecoinID(usdc.id, trsy);
        assertEq(_settings(), before);
        vm.expectEmit(address(core));
        emit ICoreSwap.AutoLiquidityStablecoinIDSet(usdc.id, 0);
        core.setAutoLiquidityStablecoinID(usdc.id, 0);
        vm.stopPrank();
        assertEq(core.autoLiquidityStablecoinIDs(usdc.id), 0);
        assertTrue(core.stablecoinGuardrailEnabled(usdc.id));
        assertEq(_settings(), before);
    }

    function _expect(bytes32 reserveID, bytes4 selector) private {
        vm.prank(address(usdc.delegate));
        vm.expectRevert(selector);
        core.setAutoLiquidityStablecoinID(usdc.id, reserveID);
    }

    /// Returns all other settings in the two slots of the stablecoin.
    function _settings() private view returns (bytes memory) {
        (bool accepted, bool yieldBearing, uint8 decimals, address lp, address token) = core.stablecoinInfo(usdc.id);
        return abi.encode(
            accepted,
            yieldBearing,
            decimals,
            lp,
            token,
            core.stablecoinUSDValue(usdc.id),
            core.issuerPaidProtocolFeeRates(usdc.id),
            core.protocolFeeExempt(usdc.id),
            core.stablecoinGuardrailEnabled(usdc.id)
        );
    }
}
